-- Renews a worker's lease on a job and returns 1; 0 when the job is another's now, or nobody waits for its answer:
-- then it leaves the queue.
-- KEYS 1 stream  2 where the wanted job is named   ARGV 1 group  2 this worker  3 entry id  4 what must be there

local pending = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1)[1]
if not pending or pending[2] ~= ARGV[2] then return 0 end
if redis.call('GET', KEYS[2]) ~= ARGV[4] then
  redis.call('XACK', KEYS[1], ARGV[1], ARGV[3])
  redis.call('XDEL', KEYS[1], ARGV[3])
  return 0
end
redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3], 'JUSTID')
return 1
