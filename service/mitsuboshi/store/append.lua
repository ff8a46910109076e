-- The one write of a command: all of it or nothing.
--
-- KEYS  1 room  2 log  3 line  4 awaited job  5 jobs  6 due times  7 public rooms  8 present people
--       9 asked job  10 receipt (or the room again)  11 and on: rooms of each person who joined, then of each
--       who left, then other keys that are to live as long as the room
-- ARGV  1 the change, a msgpack map:
--         id             the room's
--         before, after  the value's beginning ("<event id> "), as it must be and as it will be; before is "" for a
--                        new room
--         ttl_ms         life of every key of the room
--         events         entry ids of the events
--         log_max        how many events are kept, about
--         keep           how many turns of the line stay; may be missing
--         awaited        id of the job whose move the room waits for from now on, or ""
--         asked          id of the job whose answer to a question the room waits for, or ""
--         due_ms         when the room is to be looked at, unless it already is to be sooner; missing once it is closed
--         now_ms         service time
--         person         who sent the command, and so is present; may be missing
--         joined, left   how many people joined and left
--         public         true where the room is to be listed
--         bell, work     the channels on which listeners and workers are woken
--       2 the rest of the room's value  3 the job for a move  4 the job for an answer  5 the line's opening
--       6 the receipt, each "" where there is none  7 and on: the events, then the turns that the line grows by
--
-- Returns 1, or 0 when the room is not as it was before, or when the request has its receipt already.

local room, log, line, awaited, jobs, due, public, present, asked, receipt = unpack(KEYS)
local first_person = 11
local change = cmsgpack.unpack(ARGV[1])
local value, move_job, question, opening, memory = ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local ttl = change.ttl_ms
local first_event = 7
local first_turn = first_event + #change.events

-- For a new room the range is the whole value, which is empty when there is none.
local function begins_with(text)
  return redis.call('GETRANGE', room, 0, #text - 1) == text
end

-- A client that lost the answer sends the script again: the ids tell that this very change is there already, even
-- where others have come after it.
local last = change.events[#change.events]
if #redis.call('XRANGE', log, last, last) == 1 then return 1 end
if not begins_with(change.before) then return 0 end
if memory ~= '' and redis.call('EXISTS', receipt) == 1 then return 0 end

redis.call('SET', room, change.after .. value, 'PX', ttl)
for index, id in ipairs(change.events) do
  redis.call('XADD', log, 'MAXLEN', '~', change.log_max, id, 'event', ARGV[first_event + index - 1])
end
redis.call('PEXPIRE', log, ttl)

if opening ~= '' then
  redis.call('DEL', line)
  redis.call('RPUSH', line, opening)
end
if change.keep then redis.call('LTRIM', line, 0, change.keep) end
for index = first_turn, #ARGV do redis.call('RPUSH', line, ARGV[index]) end
redis.call('PEXPIRE', line, ttl)

-- A job is queued once: what does not change the turn leaves the id that is waited for, and the job, as they are.
local function wait_for(id, key, job)
  if id == '' then
    redis.call('DEL', key)
  elseif redis.call('GET', key) ~= id then
    redis.call('SET', key, id, 'PX', ttl)
    redis.call('XADD', jobs, '*', 'job', job)
    redis.call('PUBLISH', change.work, 'work')
  end
end
wait_for(change.awaited, awaited, move_job)
wait_for(change.asked, asked, question)

if change.due_ms then
  redis.call('ZADD', due, 'LT', change.due_ms, change.id)
else
  redis.call('ZREM', due, change.id)
end
if change.public then
  redis.call('ZADD', public, 'NX', change.now_ms, change.id)
else
  redis.call('ZREM', public, change.id)
end

local first_leaver = first_person + change.joined
local first_other = first_leaver + change.left
for index = first_person, first_leaver - 1 do
  redis.call('ZADD', KEYS[index], change.now_ms, change.id)
  -- The person may hold seats in rooms that live longer.
  if redis.call('PTTL', KEYS[index]) < ttl then redis.call('PEXPIRE', KEYS[index], ttl) end
end
for index = first_leaver, first_other - 1 do redis.call('ZREM', KEYS[index], change.id) end
for index = first_other, #KEYS do redis.call('PEXPIRE', KEYS[index], ttl) end
if change.person then redis.call('ZADD', present, change.now_ms, change.person) end
redis.call('PEXPIRE', present, ttl)

if memory ~= '' then redis.call('SET', receipt, memory, 'PX', ttl) end
redis.call('PUBLISH', change.bell, change.id)
return 1
