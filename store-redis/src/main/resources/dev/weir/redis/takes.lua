-- Takes from buckets and fixed windows, by far the commonest requests, by a shorter way than
-- claims.lua: from each counter one, or many that are all the same, of which as many are granted as
-- there is room for.
--
-- KEYS     the counters, each once
-- ARGV[1]  doubles: now in microseconds, or 0 for this server's own time; milliseconds that a counter
--          is kept beyond the second in which it is as if never used; then two bytes for each key: by which
--          of the following arguments it is taken from, the first of which is 2
-- ARGV[i]  doubles: how many takes, cost of each, capacity in permits, tick in microseconds,
--          units per tick, units per permit, most units, how many ticks a counter may be ahead of
--          the clock; then the head of the limit. For a fixed window: how many takes, cost of each,
--          permits, window in microseconds, 0, 1, most units, window in microseconds
-- Result   doubles: now in microseconds, and for each key at and level before the takes, from which
--          whoever asked works out what became of each;
--          or nil, if claims.lua must be asked: there is a counter that was kept under another limit
--
-- What a head, at and level are, and why all this is exact, stands in claims.lua.

local floor, ceil, unpack_double, pack_double = math.floor, math.ceil, struct.unpack, struct.pack
local MOST_TIME, SECOND = 2 ^ 53, 1000000
local LAST_BEFORE_HEAD, MOST_UNITS_AT = 8 * 8, 6 * 8 + 1

local plan = ARGV[1]
local only = #ARGV == 2 and 2
local now, kept = unpack_double('<dd', plan)
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

local raw = redis.call('MGET', unpack(KEYS)) -- not GET, which fails on what is no string
local before = {}
local kind, head, size, most
for k = 1, #KEYS do
  local at, level = 0, 0
  local value = raw[k]
  if value then
    local its = ARGV[only or unpack_double('<H', plan, 15 + 2 * k)]
    if its ~= kind then
      kind, head = its, its:sub(LAST_BEFORE_HEAD + 1)
      size, most = #head, unpack_double('<d', its, MOST_UNITS_AT)
    end
    if #value ~= size + 16 or value:sub(1, size) ~= head then
      return false
    end
    at, level = unpack_double('<dd', value, size + 1)
    if at % 1 ~= 0 or level % 1 ~= 0 or at < 0 or level < 0 or at > MOST_TIME or level > MOST_TIME then
      return false
    end
    level = level > most and most or level -- above that, somebody else has written it
  end
  before[2 * k - 1], before[2 * k] = at, level
end

local count, cost, capacity, tick, rate, unit, _, ahead
local millis, text
kind = nil
for k = 1, #KEYS do
  local at, level = before[2 * k - 1], before[2 * k]
  local its = ARGV[only or unpack_double('<H', plan, 15 + 2 * k)]
  if its ~= kind then
    kind, head = its, its:sub(LAST_BEFORE_HEAD + 1)
    count, cost, capacity, tick, rate, unit, _, ahead = unpack_double('<dddddddd', its)
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
    if due_second > MOST_TIME / SECOND then
      -- No time is beyond that but one that came from elsewhere, and Redis would refuse it.
      redis.call('DEL', KEYS[k])
    elseif raw[k] and due_second == ceil(due_before / SECOND) then
      -- It is kept until then already, and Redis is quicker if it need not write that again.
      redis.call('SET', KEYS[k], value, 'KEEPTTL')
    else
      local due = ceil((due_second * SECOND - now) / 1000) + kept
      if due ~= millis then
        millis, text = due, string.format('%d', due) -- quicker than Redis writes a number
      end
      redis.call('PSETEX', KEYS[k], text, value)
    end
  elseif level == 0 and raw[k] then
    redis.call('DEL', KEYS[k])
  end
end
return pack_double('<' .. string.rep('d', 2 * #KEYS + 1), now, unpack(before))
