-- Counts a request under each of the keys, and says how much that makes.
local counts = {}
for i = 1, #KEYS do
  counts[i] = redis.call('INCRBY', KEYS[i], ARGV[1])
  if counts[i] == tonumber(ARGV[1]) then
    redis.call('EXPIRE', KEYS[i], ARGV[2])
  end
end
return counts
