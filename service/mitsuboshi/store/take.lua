-- Gives out the stream's next job: what a dead worker held before what is new.
-- KEYS 1 the stream   ARGV 1 group  2 this worker  3 lease, ms
-- Returns {entry id, job, tries, jobs that are in nobody's hands}, or nothing when there is nothing to do.

local stream = KEYS[1]
local group, worker, lease_ms = ARGV[1], ARGV[2], ARGV[3]

local function abandoned()
  local pending = redis.call('XPENDING', stream, group, 'IDLE', lease_ms, '-', '+', 1)[1]
  if not pending then return nil end
  local entry = redis.call('XCLAIM', stream, group, worker, lease_ms, pending[1])[1]
  if entry then return entry, pending[4] + 1 end
  redis.call('XACK', stream, group, pending[1]) -- its text is gone
end

local function fresh()
  local answer = redis.call('XREADGROUP', 'GROUP', group, worker, 'COUNT', 1, 'STREAMS', stream, '>')
  if answer then return answer[1][2][1], 1 end
end

local entry, tries = abandoned()
if not entry then entry, tries = fresh() end
if entry then
  local waiting = redis.call('XLEN', stream) - redis.call('XPENDING', stream, group)[1]
  return {entry[1], entry[2][2], tries, waiting}
end
return false
