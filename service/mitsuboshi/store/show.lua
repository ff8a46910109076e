-- A worker shows that it is there, and forgets those that no longer do.
-- KEYS 1 workers   ARGV 1 this worker  2 how long it counts, ms

local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now_ms, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now_ms - ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
