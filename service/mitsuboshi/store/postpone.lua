-- Puts off the next look at a room, unless the room has changed since the last one.
-- KEYS 1 due times  2 room   ARGV 1 the room's id  2 when, service time in ms
--      3 how the room's value began when it was looked at, or "" where it could not be read

if ARGV[3] ~= '' and redis.call('GETRANGE', KEYS[2], 0, #ARGV[3] - 1) ~= ARGV[3] then return 0 end
return redis.call('ZADD', KEYS[1], 'XX', 'CH', ARGV[2], ARGV[1])
