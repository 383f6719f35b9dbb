-- Puts a server on the roster until some time from now, and tells who is on it.
--
-- KEYS[1]  the servers: a sorted set, each by when it is gone, in milliseconds since 1970
-- KEYS[2]  the memory: a text that is the same for as long as this Redis has not forgotten it
-- ARGV[1]  the server to put there
-- ARGV[2]  in how many milliseconds it is gone, unless it is put there again
-- ARGV[3]  how many servers are kept; if there are more, those that are gone soonest go now
-- ARGV[4]  the memory to begin with, if there is none
-- ARGV[5]  milliseconds for which both keys are kept from now on
-- ARGV[6]  in how many milliseconds any server is gone, at the latest: one that is said to be there
--          for longer was put there before the clock was set back, and goes now
-- Result   a list of two: the memory, and the list of servers, by when they are gone
--
-- Time is this server's own. Names are put in order by whoever asked: here it would depend on the
-- language of the machine.

local servers, memory = KEYS[1], KEYS[2]
local name, lasting_millis, most, fresh, kept_millis, longest_millis = unpack(ARGV)

local time = redis.call('TIME')
local now_millis = time[1] * 1000 + math.floor(time[2] / 1000)

-- First what is never refused: a Redis that is full lets a script go on that has begun to write, and
-- these few must be known just then.
redis.call('ZREMRANGEBYSCORE', servers, '-inf', now_millis)
redis.call('ZREMRANGEBYSCORE', servers, now_millis + longest_millis + 1, '+inf')
redis.call('ZADD', servers, now_millis + lasting_millis, name)
redis.call('ZREMRANGEBYRANK', servers, 0, -1 - most)
redis.call('PEXPIRE', servers, kept_millis)

local remembered = redis.call('MGET', memory)[1] or fresh -- not GET, which fails on what is no string
redis.call('PSETEX', memory, kept_millis, remembered)
return {remembered, redis.call('ZRANGE', servers, 0, -1)}
