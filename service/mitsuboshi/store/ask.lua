-- Queues an analysis and wakes the workers.
-- KEYS 1 where its answer will be  2 the stream   ARGV 1 how long it is waited for, ms  2 the job
--      3 channel  4 what is called out on it  5 how many may wait
-- Returns the job's entry, or nothing when too many wait.

if redis.call('XLEN', KEYS[2]) >= tonumber(ARGV[5]) then return false end
redis.call('SET', KEYS[1], '', 'PX', ARGV[1])
local entry = redis.call('XADD', KEYS[2], '*', 'job', ARGV[2])
redis.call('PUBLISH', ARGV[3], ARGV[4])
return entry
