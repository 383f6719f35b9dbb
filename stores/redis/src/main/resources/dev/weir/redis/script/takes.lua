-- Takes from buckets and fixed windows, by far the commonest requests, faster than claims.lua: one
-- take from each counter, or several identical ones, of which it grants as many as there is room for.
--
-- KEYS     the counters, each once
-- ARGV[1]  doubles: now in microseconds, or 0 for this server's own time; milliseconds that a counter
--          is kept beyond the second in which it is as if never used; then two bytes for each key:
--          the index of the argument that describes its takes, from 2
-- ARGV[i]  doubles: number of takes, cost of each, capacity in permits, tick in microseconds,
--          units per tick, units per permit, maximum level in units, maximum ticks that a counter may
--          be ahead of the clock; then the head of the limit. For a fixed window: number of takes,
--          cost of each, permits, window in microseconds, 0, 1, maximum level, window in microseconds
-- Result   doubles: now in microseconds, and for each key at and level before the takes, from which
--          the caller derives the decision of each take;
--          or nil, if only claims.lua can decide: a counter was written under another limit
--
-- claims.lua explains head, at and level, and why the arithmetic is exact.

local floor, ceil, unpack_double, pack_double = math.floor, math.ceil, struct.unpack, struct.pack
local MAX_TIME, SECOND = 2 ^ 53, 1000000
local LAST_BEFORE_HEAD, MAX_LEVEL_AT = 8 * 8, 6 * 8 + 1

local plan = ARGV[1]
local single = #ARGV == 2 and 2
local now, kept = unpack_double('<dd', plan)
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

local raw = redis.call('MGET', unpack(KEYS)) -- not GET, which fails on other types
local before = {}
local kind, head, size, max_level
for k = 1, #KEYS do
  local at, level = 0, 0
  local value = raw[k]
  if value then
    local takes = ARGV[single or unpack_double('<H', plan, 15 + 2 * k)]
    if takes ~= kind then
      kind, head = takes, takes:sub(LAST_BEFORE_HEAD + 1)
      size, max_level = #head, unpack_double('<d', takes, MAX_LEVEL_AT)
    end
    if #value ~= size + 16 or value:sub(1, size) ~= head then
      return false
    end
    at, level = unpack_double('<dd', value, size + 1)
    if at % 1 ~= 0 or level % 1 ~= 0 or at < 0 or level < 0 or at > MAX_TIME or level > MAX_TIME then
      return false
    end
    level = level > max_level and max_level or level -- a higher level is a foreign value
  end
  before[2 * k - 1], before[2 * k] = at, level
end

local count, cost, capacity, tick, rate, unit, _, ahead
local millis, text
kind = nil
for k = 1, #KEYS do
  local at, level = before[2 * k - 1], before[2 * k]
  local takes = ARGV[single or unpack_double('<H', plan, 15 + 2 * k)]
  if takes ~= kind then
    kind, head = takes, takes:sub(LAST_BEFORE_HEAD + 1)
    count, cost, capacity, tick, rate, unit, _, ahead = unpack_double('<dddddddd', takes)
  end
  local due_before, time
  if rate == 0 then
    due_before = at + tick
    time = (now >= at or at - now > ahead) and now or at
    time = time - time % tick
    level = time == at and level or 0
  else
    due_before = (at + ceil(level / rate)) * tick
    time = floor(now / tick)
    if time < at and at - time <= ahead then
      time = at
    end
    local past = time - at
    if past < 0 or level <= past * rate then
      level = 0
    else
      level = level - past * rate
    end
  end
  local permits = count * cost
  if count > 1 and permits > 0 and level + permits * unit > capacity * unit then
    local room = floor(floor((capacity * unit - level) / unit) / cost)
    permits = room > 0 and room * cost or capacity + 1
  end
  level = level + permits * unit
  if level > 0 and permits <= capacity and level <= capacity * unit then
    local due_second = ceil((rate == 0 and time + tick or (time + ceil(level / rate)) * tick) / SECOND)
    local value = head .. pack_double('<dd', time, level)
    if due_second > MAX_TIME / SECOND then
      -- Only a foreign value yields a later time, and Redis would refuse it.
      redis.call('DEL', KEYS[k])
    elseif raw[k] and due_second == ceil(due_before / SECOND) then
      -- The time to live is right already, and Redis is faster if it need not be written again.
      redis.call('SET', KEYS[k], value, 'KEEPTTL')
    else
      local due = ceil((due_second * SECOND - now) / 1000) + kept
      if due ~= millis then
        millis, text = due, string.format('%d', due) -- faster than Redis formats a number
      end
      redis.call('PSETEX', KEYS[k], text, value)
    end
  elseif level == 0 and raw[k] then
    redis.call('DEL', KEYS[k])
  end
end
return pack_double('<' .. string.rep('d', 2 * #KEYS + 1), now, unpack(before))
