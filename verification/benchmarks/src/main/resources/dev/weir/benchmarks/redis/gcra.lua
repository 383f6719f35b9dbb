-- One decision in one call, as cheap as possible: a token bucket stored as the time at which it will
-- be full again (GCRA).
--
-- KEYS[1]  the counter: that time, in microseconds
-- ARGV[1]  microseconds in which one permit refills
-- ARGV[2]  microseconds in which all permits refill
-- ARGV[3]  milliseconds that the counter is kept beyond that time
-- Result   permits left; if denied, microseconds to wait, negative

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local full = redis.call('GET', KEYS[1])
full = math.max(now, full and tonumber(full) or 0) + ARGV[1]
local room = ARGV[2] - (full - now)
if room < 0 then
  return room
end
redis.call('SET', KEYS[1], full, 'PX', math.ceil((full - now) / 1000) + ARGV[3])
return math.floor(room / ARGV[1])
