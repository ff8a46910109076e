-- Gives out the next job: moves before analyses, what a dead worker held before what is new.
-- KEYS the streams, in that order   ARGV 1 group  2 this worker  3 lease, ms
-- Returns {stream, entry id, job, tries, jobs in the first stream}, or {false, last id of each stream} when there is
-- nothing to do.

local group, worker, lease_ms = ARGV[1], ARGV[2], ARGV[3]

local function abandoned(stream)
  local pending = redis.call('XPENDING', stream, group, 'IDLE', lease_ms, '-', '+', 1)[1]
  if not pending then return nil end
  local entry = redis.call('XCLAIM', stream, group, worker, lease_ms, pending[1])[1]
  if entry then return entry, pending[4] + 1 end
  redis.call('XACK', stream, group, pending[1]) -- its text is gone
end

local function fresh(stream)
  local answer = redis.call('XREADGROUP', 'GROUP', group, worker, 'COUNT', 1, 'STREAMS', stream, '>')
  if answer then return answer[1][2][1], 1 end
end

for _, stream in ipairs(KEYS) do
  local entry, tries = abandoned(stream)
  if not entry then entry, tries = fresh(stream) end
  if entry then return {stream, entry[1], entry[2][2], tries, redis.call('XLEN', KEYS[1])} end
end

local last = {false}
for _, stream in ipairs(KEYS) do
  local info = redis.call('XINFO', 'STREAM', stream)
  for at = 1, #info, 2 do
    if info[at] == 'last-generated-id' then last[#last + 1] = info[at + 1] end
  end
end
return last
