-- Adds a server to the roster for some time, or renews it, and returns the roster.
--
-- KEYS[1]  the servers: a sorted set by expiry in milliseconds since 1970
-- KEYS[2]  the memory: a text that stays the same until this Redis loses its data
-- ARGV[1]  the name of the server
-- ARGV[2]  milliseconds until it expires, unless it is renewed
-- ARGV[3]  the maximum number of servers; above it, those that expire soonest are removed
-- ARGV[4]  the memory to store if there is none
-- ARGV[5]  milliseconds until both keys expire
-- ARGV[6]  the maximum milliseconds until a server expires: one with a later expiry was added before
--          the clock was set back, and is removed
-- Result   a list of two: the memory, and the list of servers, by expiry
--
-- Time is this server's own. The caller sorts the names: here the order would depend on the locale of
-- the machine.

local servers, memory = KEYS[1], KEYS[2]
local name, lasting_millis, max_servers, new_memory, ttl_millis, max_lasting_millis = unpack(ARGV)

local time = redis.call('TIME')
local now_millis = time[1] * 1000 + math.floor(time[2] / 1000)

-- Commands that are never refused come first: a full Redis lets a script continue that has begun to
-- write, and the roster matters most just then.
redis.call('ZREMRANGEBYSCORE', servers, '-inf', now_millis)
redis.call('ZREMRANGEBYSCORE', servers, now_millis + max_lasting_millis + 1, '+inf')
redis.call('ZADD', servers, now_millis + lasting_millis, name)
redis.call('ZREMRANGEBYRANK', servers, 0, -1 - max_servers)
redis.call('PEXPIRE', servers, ttl_millis)

local remembered = redis.call('MGET', memory)[1] or new_memory -- not GET, which fails on other types
redis.call('PSETEX', memory, ttl_millis, remembered)
return {remembered, redis.call('ZRANGE', servers, 0, -1)}
