-- Reads a table of named entries that expire, or changes it and returns it.
--
-- KEYS[1]  the values: a hash by name. Two fields that no name can have hold the version of the table
--          and the bytes of all values together
-- KEYS[2]  the expiries: a sorted set of the names, by expiry in milliseconds since 1970
-- ARGV[1]  what to do: read, put or remove
-- ARGV[2]  for read the version that the caller knows; otherwise the version after the change
-- ARGV[3]  the maximum number of entries
-- ARGV[4]  the maximum bytes of all values together
-- ARGV[5]  the maximum milliseconds until an entry expires: one with a later expiry was added before
--          the clock was set back, and has that much left
-- ARGV[6]  milliseconds until both keys expire
-- ARGV[7…] for put the name, the value and the milliseconds until it expires, of each entry; for
--          remove the names
-- Result   a list: the version; or of a table that is not to be read, the version and what follows.
--          {version}                          the caller knows this version
--          {version, {name, value, millis…}}  all entries, each with its milliseconds until expiry
--          {false, entries, bytes}            nothing was put: there would be too many of these
--
-- Time is this server's own. Redis may evict or lose either key: then the other one is of no use, and
-- the table is as if it had never been written.

local VERSION, BYTES = '\1version', '\1bytes'

local values, expiries = KEYS[1], KEYS[2]
local action, version, max_entries, max_bytes, max_lasting_millis, ttl_millis = unpack(ARGV, 1, 6)
local FIRST = 7

local time = redis.call('TIME')
local now_millis = time[1] * 1000 + math.floor(time[2] / 1000)

local header = redis.call('HMGET', values, VERSION, BYTES)
local count = redis.call('ZCARD', expiries)
local intact = header[1] and header[2] and redis.call('HLEN', values) == count + 2

local function size(name)
  local value = redis.call('HMGET', values, name)[1]
  return value and #value or 0
end

local function page(current)
  local list = {}
  local alive = redis.call('ZRANGE', expiries, '(' .. now_millis, '+inf', 'BYSCORE', 'WITHSCORES')
  if #alive > 0 then
    local names = {}
    for i = 1, #alive, 2 do
      names[#names + 1] = alive[i]
    end
    local found = redis.call('HMGET', values, unpack(names))
    for i = 1, #names do
      list[#list + 1] = names[i]
      list[#list + 1] = found[i] or ''
      list[#list + 1] = math.min(alive[2 * i] - now_millis, tonumber(max_lasting_millis))
    end
  end
  return {current, list}
end

if action == 'read' then
  local current = intact and header[1] or ''
  if current == version then
    return {current}
  end
  return intact and page(current) or {current, {}}
end

-- A command that is never refused comes first: a full Redis lets a script continue that has begun to
-- write, and operators act most when something is wrong.
local bytes = 0
if intact then
  bytes = tonumber(header[2])
  local expired = redis.call('ZRANGE', expiries, '-inf', now_millis, 'BYSCORE')
  redis.call('ZREMRANGEBYSCORE', expiries, '-inf', now_millis)
  for _, name in ipairs(expired) do
    bytes = bytes - size(name)
    redis.call('HDEL', values, name)
  end
else
  redis.call('DEL', values, expiries)
end

if action == 'put' then
  local entries_after, bytes_after = redis.call('ZCARD', expiries), bytes
  for i = FIRST, #ARGV, 3 do
    local replaced = redis.call('HMGET', values, ARGV[i])[1]
    entries_after = entries_after + (replaced and 0 or 1)
    bytes_after = bytes_after + #ARGV[i + 1] - (replaced and #replaced or 0)
  end
  if entries_after > tonumber(max_entries) or bytes_after > tonumber(max_bytes) then
    if intact then
      redis.call('HSET', values, BYTES, bytes)
    end
    return {false, entries_after, bytes_after}
  end
  for i = FIRST, #ARGV, 3 do
    redis.call('HSET', values, ARGV[i], ARGV[i + 1])
    redis.call('ZADD', expiries, now_millis + ARGV[i + 2], ARGV[i])
  end
  bytes = bytes_after
else
  for i = FIRST, #ARGV do
    bytes = bytes - size(ARGV[i])
    redis.call('HDEL', values, ARGV[i])
    redis.call('ZREM', expiries, ARGV[i])
  end
end

redis.call('HSET', values, VERSION, version, BYTES, bytes)
redis.call('PEXPIRE', values, ttl_millis)
redis.call('PEXPIRE', expiries, ttl_millis)
return page(version)
