-- Counts a request under each key.
--
-- KEYS     the counters
-- ARGV[1]  the number of hits to add
-- ARGV[2]  seconds after which a new counter expires
-- Result   the count of each key
local counts = {}
for i = 1, #KEYS do
  counts[i] = redis.call('INCRBY', KEYS[i], ARGV[1])
  if counts[i] == tonumber(ARGV[1]) then
    redis.call('EXPIRE', KEYS[i], ARGV[2])
  end
end
return counts
