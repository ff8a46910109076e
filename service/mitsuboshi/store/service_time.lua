-- Returns the service time, in milliseconds, and moves it on where that is asked for.
-- KEYS 1 the hash   ARGV 1 the longest gap that counts, ms  2 "move" or "read"

local clock = redis.call('TIME')
local now_ms = clock[1] * 1000 + math.floor(clock[2] / 1000)
local service_ms = tonumber(redis.call('HGET', KEYS[1], 'service_ms') or 0)
local last_ms = tonumber(redis.call('HGET', KEYS[1], 'at_ms') or now_ms)
local passed_ms = now_ms - last_ms
if passed_ms > 0 and passed_ms <= tonumber(ARGV[1]) then
  service_ms = service_ms + passed_ms
end
if ARGV[2] == 'read' then return service_ms end
redis.call('HSET', KEYS[1], 'service_ms', string.format('%d', service_ms), 'at_ms', string.format('%d', now_ms))
return service_ms
