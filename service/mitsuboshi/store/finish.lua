-- A job leaves the queue; an analysis is answered where somebody still waits for it.
-- KEYS 1 the stream  2 where the answer is waited for, of an analysis alone
-- ARGV 1 group  2 entry id, then of an analysis  3 the answer  4 its life, ms  5 channel  6 the job's id

redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[1], ARGV[2])
if KEYS[2] then
  redis.call('SET', KEYS[2], ARGV[3], 'XX', 'PX', ARGV[4])
  redis.call('PUBLISH', ARGV[5], ARGV[6])
end
return 1
