-- Decides a batch of requests in their order; each request takes all of its claims or none. The file
-- is long because a script cannot call another one, and a batch may contain every algorithm.
--
-- KEYS   the counters, each once
-- ARGV   one flat MessagePack array of numbers:
--          now in microseconds, or 0 for this server's own time
--          milliseconds that a counter is kept beyond the second in which it is as if never used
--          the number of limits, and for each of them
--            head, algorithm, permits, window in microseconds, third, capacity in permits,
--            tick in microseconds, units per tick, units per permit, maximum level in units,
--            the number of calendar boundaries, the boundaries in microseconds
--          the number of requests, and for each of them
--            operation, the number of claims, and for each of them
--              index of its key, index of its limit, cost, holder (8 bytes, or 0)
--            or, for identical takes from one counter: 6, index of its key, and
--              the number of takes, index of their limit, cost of each
-- Result  one flat MessagePack array of numbers: now in microseconds, and for each claim, in order,
--          verdict (0 allowed, 1 denied, 2 never, 3 allowed to a holder that held it before),
--          permits left (the debt, if negative),
--          wait in microseconds, microseconds until the counter is as if never used;
--          for identical takes: level, at and extra before them, from which the caller derives the
--          decision of each take
--         or the error STALE and this server's time, if no calendar boundaries enclose it
--
-- The value of a counter consists of the head of the limit it was written under, which is the
-- MessagePack of algorithm, permits, window and third; then at and level as doubles; then extra, as a
-- double if it is a number other than 0, or as it is if it is a list. By algorithm:
--   buckets (1, 2)        at: tick, level: units; third is the capacity
--   fixed window (3)      at: start, level: count, extra: end of a calendar window; third: its hash
--   sliding log (4)       at: last time, level: count, extra: pairs of time and permits
--   sliding counter (5)   at: tick, level: this window's count, extra: the last window's
--   concurrency (6)       at: last time, level: permits, extra: triples of holder, expiry, permits
-- All numbers are integers below 2^53, which doubles hold exactly. Divisions are of numbers below
-- 2^52, for which rounding a quotient down or up is exact too. dev.weir.algorithm has the same steps
-- in the same order in Java.

local floor, ceil, max, min = math.floor, math.ceil, math.max, math.min
local pack, unpack_double, pack_double = cmsgpack.pack, struct.unpack, struct.pack

local TOKEN, LEAKY, FIXED, LOG, COUNTER, HOLD = 1, 2, 3, 4, 5, 6
local TAKE, PEEK, REFUND, CHARGE, RESET, COALESCED = 1, 2, 3, 4, 5, 6
local ALLOWED, DENIED, NEVER, RENEWED = 0, 1, 2, 3
local MAX_UNITS, MAX_LEVEL, MAX_COUNT = 2 ^ 51, 2 ^ 52, 2 ^ 31 - 1
local MAX_TIME, SECOND = 2 ^ 53, 1000000
local CENTURY = 36525 * 86400 * 1000000
local MAX_WINDOW = 3660 * 86400 * 1000000
local MAX_GRANTS, MAX_HOLDERS, DEBT_WINDOWS = 1000, 10000, 4

local input = cmsgpack.unpack(ARGV[1])
local now = input[1]
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

-- The maximum number of ticks that a counter may be ahead of the clock: a window, or the time in which
-- a bucket fills up again. A counter that is further ahead was written before the clock was set back,
-- and is as if never used: no caller waits for a clock for longer than this.
local function max_ahead(algorithm, span, units, rate)
  return algorithm <= LEAKY and max(span, ceil(units / rate)) or span
end

local function limit_at(p)
  local algorithm, units = input[p + 1], input[p + 5] * input[p + 8]
  return {
    head = input[p],
    size = #input[p],
    algorithm = algorithm,
    permits = input[p + 2],
    window = input[p + 3],
    third = input[p + 4],
    capacity = input[p + 5],
    tick = input[p + 6],
    rate = input[p + 7],
    unit = input[p + 8],
    units = units,
    ahead = max_ahead(algorithm, input[p + 3] / input[p + 6], units, input[p + 7]),
    max_level = input[p + 9],
    first = p + 11,
    last = p + 10 + input[p + 10],
  }
end

-- Times to live as strings: many are equal, and Redis formats numbers slowly.
local texts = {}

-- Deletes a counter that is as if never used; stores any other until it will be.
local function write(key, limit, at, level, extra, reset, exists)
  -- Only a foreign value yields a later time, and Redis would refuse it.
  if reset > 0 and now + reset <= MAX_TIME then
    local value = limit.head .. pack_double('<dd', at, level)
    if extra ~= 0 then
      value = value .. (type(extra) == 'string' and extra or pack_double('<d', extra))
    end
    -- Rounded up to a full second, so that takes.lua need not rewrite it within that second.
    local millis = ceil((ceil((now + reset) / SECOND) * SECOND - now) / 1000) + input[2]
    local text = texts[millis]
    if not text then
      text = string.format('%d', millis)
      texts[millis] = text
    end
    redis.call('PSETEX', key, text, value)
  elseif exists then
    redis.call('DEL', key)
  end
end

local function natural(number)
  return type(number) == 'number' and number >= 0 and number <= MAX_TIME and number % 1 == 0
end

local function matches(limit, algorithm, permits, span, third)
  return algorithm == limit.algorithm
    and permits == limit.permits
    and span == limit.window
    and third == limit.third
end

-- The current tick, or the last one seen if time ran back a little. It is before `at` if time ran
-- back further than that; the counter is empty then.
local function tick_now(limit, at)
  local tick = floor(now / limit.tick)
  return (tick >= at or at - tick > limit.ahead) and tick or at
end

-- Buckets.

local function drained(limit, level, at, tick)
  -- A product that is too large to be exact is also larger than any level.
  return tick < at and 0 or max(0, level - (tick - at) * limit.rate)
end

local function bucket(op, limit, level, at, extra, cost)
  local tick = tick_now(limit, at)
  local before = drained(limit, level, at, tick)
  local after, verdict, wait = before, ALLOWED, 0
  if op <= PEEK then
    local filled = before + min(cost, limit.capacity) * limit.unit
    if cost > limit.capacity then
      verdict = NEVER
    elseif filled > limit.units then
      verdict = DENIED
      local room = tick + ceil((filled - limit.units) / limit.rate)
      wait = max(0, room * limit.tick - now)
    else
      after = filled
      if limit.algorithm == LEAKY and cost > 0 and filled > limit.unit then
        local turn = tick + ceil((filled - limit.unit) / limit.rate)
        wait = max(0, turn * limit.tick - now)
      end
    end
  elseif op == CHARGE then
    local room = floor((limit.max_level - before) / limit.unit)
    after = cost > room and limit.max_level or before + cost * limit.unit
  elseif cost > floor(before / limit.unit) then
    after = 0
  else
    after = before - cost * limit.unit
  end
  local left = floor((limit.units - after) / limit.unit)
  if verdict == ALLOWED then
    level, at = after, tick
  end
  local reset = after == 0 and 0 or (at + ceil(level / limit.rate)) * limit.tick - now
  return level, at, extra, verdict, left, wait, reset
end

-- Fixed windows.

local function window(limit, time, at, till)
  if limit.third == 0 then
    local start = time - time % limit.window
    return start, start + limit.window
  end
  if time >= at and time < till then
    return at, till
  end
  for i = limit.first, limit.last - 1 do
    if time >= input[i] and time < input[i + 1] then
      return input[i], input[i + 1]
    end
  end
  return at, till
end

local function fixed(op, limit, level, at, extra, cost)
  local start, till = window(limit, tick_now(limit, at), at, extra)
  local count = start == at and level or 0
  local verdict, wait = ALLOWED, 0
  if op <= PEEK then
    if cost > limit.permits then
      verdict = NEVER
    elseif count > limit.permits - cost then
      verdict, wait = DENIED, till - now
    else
      count = count + cost
    end
  elseif op == CHARGE then
    count = min(MAX_LEVEL, count + cost)
  else
    count = max(0, count - cost)
  end
  if verdict == ALLOWED then
    level, at, extra = count, start, limit.third == 0 and 0 or till
  end
  return level, at, extra, verdict, limit.permits - count, wait, count == 0 and 0 or till - now
end

-- Sliding logs. A pair has 16 bytes.

local function expired(log, span, at, time, count)
  if time < at then
    return #log + 1, 0
  end
  local from = 1
  while from < #log do
    local granted, permits = unpack_double('<dd', log, from)
    if granted + span > time then
      break
    end
    count = count - permits
    from = from + 16
  end
  return from, count
end

local function appended(log, time, cost, max_entries)
  if cost == 0 then
    return log
  end
  if #log > 0 then
    local last, permits = unpack_double('<dd', log, #log - 15)
    if last == time or #log >= 16 * max_entries then
      return log:sub(1, -17) .. pack_double('<dd', time, permits + cost)
    end
  end
  return log .. pack_double('<dd', time, cost)
end

local function sliding_log(op, limit, level, at, extra, cost)
  local time = tick_now(limit, at)
  local from, count = expired(extra, limit.window, at, time, level)
  local verdict, wait = ALLOWED, 0
  local log = from == 1 and extra or extra:sub(from)
  if op <= PEEK then
    if cost > limit.permits then
      verdict = NEVER
    elseif count > limit.permits - cost then
      verdict = DENIED
      local left, next, last = count, 1, 0
      while left > limit.permits - cost and next < #log do
        local permits
        last, permits, next = unpack_double('<dd', log, next)
        left = left - permits
      end
      wait = last + limit.window - now
    else
      log, count = appended(log, time, cost, limit.permits), count + cost
    end
  elseif op == CHARGE then
    local charged = min(cost, MAX_LEVEL - count)
    log, count = appended(log, time, charged, limit.permits), count + charged
  else
    local rest = cost
    while #log > 0 do
      local last, permits = unpack_double('<dd', log, #log - 15)
      log = log:sub(1, -17)
      if rest < permits then
        log = log .. pack_double('<dd', last, permits - rest)
        count = count - rest
        break
      end
      rest, count = rest - permits, count - permits
    end
  end
  if verdict == ALLOWED then
    level, at, extra = count, time, log
  end
  local reset = log == '' and 0 or unpack_double('<d', log, #log - 15) + limit.window - now
  return level, at, extra, verdict, limit.permits - count, wait, reset
end

-- Sliding counters. The span is the window in ticks.

local function advanced(span, level, at, previous, tick)
  local windows = floor(tick / span) - floor(at / span)
  if windows == 0 then
    return level, previous
  end
  return 0, windows == 1 and level or 0
end

local function sliding_counter(op, limit, level, at, extra, cost)
  local span = limit.unit
  local tick = tick_now(limit, at)
  local current, previous = advanced(span, level, at, extra, tick)
  local elapsed = tick % span
  local verdict, wait = ALLOWED, 0
  if op <= PEEK then
    local permits = min(cost, limit.permits)
    if cost > limit.permits then
      verdict = NEVER
    elseif (current + permits) * span + previous * (span - elapsed) > limit.units then
      verdict = DENIED
      local spare = limit.permits - cost - current
      local room
      if spare >= 0 then
        room = tick - elapsed + span - floor(spare * span / previous)
      else
        room = tick - elapsed + 2 * span - floor((limit.permits - cost) * span / current)
      end
      wait = max(0, room * limit.tick - now)
    else
      current = current + cost
    end
  elseif op == CHARGE then
    current = min(MAX_COUNT, floor(MAX_UNITS / span), current + cost)
  else
    local left = max(0, current - cost)
    previous = max(0, previous - (cost - (current - left)))
    current = left
  end
  if verdict == ALLOWED then
    level, at, extra = current, tick, previous
  end
  local left = floor((limit.units - current * span - previous * (span - elapsed)) / span)
  local windows = current > 0 and 2 or previous > 0 and 1 or 0
  local reset = 0
  if windows > 0 then
    reset = max(0, (tick - elapsed + windows * span) * limit.tick - now)
  end
  return level, at, extra, verdict, left, wait, reset
end

-- Concurrency. A triple has 24 bytes; triples are ordered by expiry.

local function expired_holders(log, at, time, held)
  if time < at then
    return #log + 1, 0
  end
  local from = 1
  while from < #log do
    local expiry, permits = unpack_double('<dd', log, from + 8)
    if expiry > time then
      break
    end
    held = held - permits
    from = from + 24
  end
  return from, held
end

local function without(log, holder, held)
  local from = log:find(holder, 1, true)
  while from and from % 24 ~= 1 do
    from = log:find(holder, from + 1, true)
  end
  if not from then
    return log, held
  end
  local permits = unpack_double('<d', log, from + 16)
  return log:sub(1, from - 1) .. log:sub(from + 24), held - permits
end

local function hold(op, limit, level, at, extra, cost, holder)
  local time = tick_now(limit, at)
  local from, held = expired_holders(extra, at, time, level)
  local live = from == 1 and extra or extra:sub(from)
  local verdict, wait = ALLOWED, 0
  if op <= PEEK then
    local others, taken = live, held
    if cost > 0 then
      others, taken = without(live, holder, held)
    end
    if cost > limit.permits then
      verdict = NEVER
    elseif taken > limit.permits - cost then
      verdict = DENIED
      local left, next, expiry = taken, 1, 0
      while left > limit.permits - cost and next < #others do
        local permits
        expiry, permits = unpack_double('<dd', others, next + 8)
        left, next = left - permits, next + 24
      end
      -- Only a hint: a holder may release its permit at any time.
      wait = min(expiry - now, SECOND)
    elseif cost > 0 then
      local expiry = time + limit.window
      local offset = #others
      while offset > 0 and unpack_double('<d', others, offset - 15) > expiry do
        offset = offset - 24
      end
      live = others:sub(1, offset) .. holder .. pack_double('<dd', expiry, cost) .. others:sub(offset + 1)
      verdict = taken < held and RENEWED or ALLOWED
      held = taken + cost
      level, at, extra = held, time, live
    end
  elseif op == REFUND then
    live, held = without(live, holder, held)
    level, at, extra = held, time, live
  end
  local reset = live == '' and 0 or unpack_double('<d', live, #live - 15) - now
  return level, at, extra, verdict, limit.permits - held, wait, reset
end

-- Lists are not validated from end to end each time. If the result of a step is impossible, the
-- scripts have not written the list, and the counter is as if never used.
local function checked(step, max_windows, max_reset)
  return function(op, limit, level, at, extra, cost, holder)
    local l, a, x, verdict, left, wait, reset = step(op, limit, level, at, extra, cost, holder)
    local max_micros = max_windows * limit.window + max_reset
    local is_sane = wait >= 0 and wait <= max_micros and reset >= 0 and reset <= max_micros
    if is_sane and left <= limit.permits and left >= -MAX_LEVEL then
      return l, a, x, verdict, left, wait, reset
    end
    return step(op, limit, 0, 0, '', cost, holder)
  end
end

-- Holders keep the expiry of the limit at the time of their take; grants expire by the current limit.
local steps = {
  bucket,
  bucket,
  fixed,
  checked(sliding_log, 2, 0),
  sliding_counter,
  checked(hold, 1, MAX_WINDOW),
}

local function empty_extra(algorithm)
  return (algorithm == LOG or algorithm == HOLD) and '' or 0
end

-- Limits that change: spent permits stay spent.

local function gcd(a, b)
  while b ~= 0 do
    a, b = b, a % b
  end
  return a
end

-- Tick, units per tick and units per permit of a limit of which only the head is known.
local function grain(limit)
  if limit.tick then
    return limit.tick, limit.rate, limit.unit
  end
  for _, tick in ipairs({ 1, 1000, 1000000 }) do
    local span = limit.window / tick
    if limit.window % tick == 0 then
      if limit.algorithm == COUNTER then
        if limit.permits <= floor(MAX_UNITS / span) then
          return tick, 1, span
        end
      else
        local common = gcd(limit.permits, span)
        local rate, unit = limit.permits / common, span / common
        if limit.third <= floor(min(MAX_UNITS, CENTURY / tick * rate) / unit) then
          return tick, rate, unit
        end
      end
    end
  end
end

-- Whether a limit can have these numbers.
local function is_valid_limit(limit)
  if limit.permits == 0 or limit.window == 0 or limit.window > MAX_WINDOW then
    return false
  end
  return limit.algorithm == FIXED or limit.algorithm == LOG or limit.algorithm == HOLD or grain(limit)
end

local function used(from, level, at, extra)
  local tick, rate, unit = 1, 1, 1
  if from.algorithm ~= FIXED and from.algorithm ~= LOG then
    tick, rate, unit = grain(from)
  end
  local span = from.window / tick
  local bound = { tick = tick, ahead = max_ahead(from.algorithm, span, from.third * unit, rate) }
  local time = tick_now(bound, at)
  if from.algorithm == FIXED then
    local till = from.third == 0 and at + from.window or extra
    return time >= at and time < till and level or 0
  elseif from.algorithm == LOG then
    local _, count = expired(extra, from.window, at, time, level)
    return count
  elseif from.algorithm == COUNTER then
    local current, previous = advanced(unit, level, at, extra, time)
    return ceil((current * unit + previous * (unit - time % unit)) / unit)
  end
  bound.rate = rate
  local max_level = min(MAX_LEVEL, (from.third + DEBT_WINDOWS * from.permits) * unit)
  return ceil(drained(bound, min(max_level, level), at, time) / unit)
end

local function is_compatible(from, limit)
  if from.algorithm ~= limit.algorithm then
    return false
  elseif limit.algorithm == LOG or limit.algorithm == HOLD then
    return true
  elseif limit.algorithm == FIXED then
    return from.window == limit.window and from.third == limit.third
  elseif limit.algorithm == COUNTER then
    return from.window == limit.window and grain(from) == limit.tick
  end
  return false
end

local function carried(from, limit, level, at, extra)
  if is_compatible(from, limit) then
    return level, at, extra
  end
  local cost = 0
  if from.algorithm ~= HOLD and limit.algorithm ~= HOLD then
    cost = used(from, level, at, extra)
    cost = natural(cost) and min(limit.capacity, cost) or 0
  end
  level, at, extra = steps[limit.algorithm](TAKE, limit, 0, 0, empty_extra(limit.algorithm), cost, '')
  return level, at, extra
end

-- The limits.

local p = 4
local limits = {}
for i = 1, input[3] do
  local limit = limit_at(p)
  if limit.last >= limit.first and (now < input[limit.first] or now >= input[limit.last]) then
    return redis.error_reply(string.format('STALE %.0f', now))
  end
  limits[i] = limit
  p = limit.last + 1
end

-- The counters. A request changes its counters in place; by0, level0, at0 and extra0 hold their state
-- before it, in case it is denied. For the counters to be written, dirty holds the microseconds until
-- they are as if never used.

local raw = redis.call('MGET', unpack(KEYS))
local by, level, at, extra = {}, {}, {}, {}
local by0, level0, at0, extra0 = {}, {}, {}, {}
local touched, dirty = {}, {}

-- Whether the script could have written this state. Foreign values under the key of a counter must not
-- break the other requests of the batch. A holder may remain until it expires, which may take as long
-- as the longest window.
local function is_valid_state(from, a, l, x)
  if not natural(a) or not natural(l) then
    return false
  elseif from.algorithm == LOG or from.algorithm == HOLD then
    return (x ~= '') == (l > 0)
  elseif from.algorithm == FIXED and from.third ~= 0 then
    return natural(x) and x > a and x - a <= 2 * from.window
  end
  return x == 0 or (from.algorithm == COUNTER and natural(x))
end

-- Caps a level at the maximum that charges can reach.
local function saturated(limit, l, x)
  if limit.algorithm == COUNTER then
    local max_count = min(MAX_COUNT, floor(MAX_UNITS / limit.unit))
    return min(max_count, l), min(max_count, x)
  end
  return min(limit.algorithm <= LEAKY and limit.max_level or MAX_LEVEL, l), x
end

-- The limit that a counter was written under, and the length of its head.
local function written_under(value, limit)
  if value:sub(1, limit.size) == limit.head then
    return limit, limit.size
  end
  local ok, size, algorithm, permits, span, third = pcall(cmsgpack.unpack_limit, value, 4)
  if not ok or not (steps[algorithm] and natural(permits) and natural(span) and natural(third)) then
    return
  end
  local from = { algorithm = algorithm, permits = permits, window = span, third = third }
  if is_valid_limit(from) then
    return from, size
  end
end

-- The extra after at and level, or nil if its length is impossible.
local function extra_of(algorithm, value, from)
  local length = #value - from + 1
  if algorithm == LOG or algorithm == HOLD then
    local width, max_entries = 16, MAX_GRANTS
    if algorithm == HOLD then
      width, max_entries = 24, MAX_HOLDERS
    end
    return length % width == 0 and length <= width * max_entries and value:sub(from) or nil
  end
  return length == 0 and 0 or length == 8 and unpack_double('<d', value, from) or nil
end

local function load(k, limit)
  local value = raw[k]
  local from, size
  if value then
    from, size = written_under(value, limit)
  end
  if from and size >= 0 and #value >= size + 16 then
    local a, l = unpack_double('<dd', value, size + 1)
    local x = extra_of(from.algorithm, value, size + 17)
    if x and is_valid_state(from, a, l, x) then
      by[k], level[k], at[k], extra[k] = from, l, a, x
      return
    end
  end
  by[k], level[k], at[k], extra[k] = limit, 0, 0, empty_extra(limit.algorithm)
end

local function adopt(k, limit)
  local from = by[k]
  if from ~= limit then
    if not matches(limit, from.algorithm, from.permits, from.window, from.third) then
      level[k], at[k], extra[k] = carried(from, limit, level[k], at[k], extra[k])
    end
    by[k] = limit
  end
  level[k], extra[k] = saturated(limit, level[k], extra[k])
end

local function restore(k)
  by[k], level[k], at[k], extra[k] = by0[k], level0[k], at0[k], extra0[k]
end

-- The requests.

local out = { now }
local o = 1
local requests = input[p]
p = p + 1

-- Grants as many identical takes as there is room for: returns the counter after them and the
-- microseconds until it is as if never used; nothing if there is no room.
local function taken(step, limit, level, at, extra, cost, count)
  if count > 1 and cost > 0 then
    local _1, _2, _3, _4, left = step(PEEK, limit, level, at, extra, 0, '')
    count = min(count, floor(max(0, left) / cost))
    if count == 0 then
      return
    end
  end
  local l, a, x, verdict, _left, _wait, reset = step(TAKE, limit, level, at, extra, count * cost, '')
  if verdict == ALLOWED then
    return l, a, x, reset
  end
end

local function coalesced_takes(k)
  local count, limit, cost = input[p], limits[input[p + 1]], input[p + 2]
  if not by[k] then
    load(k, limit)
  end
  local from, l, a, x = by[k], level[k], at[k], extra[k]
  adopt(k, limit)
  out[o + 1], out[o + 2], out[o + 3] = level[k], at[k], extra[k]
  o, p = o + 3, p + 3
  local l1, a1, x1, reset = taken(steps[limit.algorithm], limit, level[k], at[k], extra[k], cost, count)
  if l1 then
    level[k], at[k], extra[k], dirty[k] = l1, a1, x1, reset
  else
    by[k], level[k], at[k], extra[k] = from, l, a, x
  end
end

local function one_request(request)
  local op, claims = input[p], input[p + 1]
  local first, allowed = p + 2, true
  local answers = o
  p = first
  if op == RESET then
    for claim = first, first + 4 * (claims - 1), 4 do
      local k, limit = input[claim], limits[input[claim + 1]]
      by[k], level[k], at[k], extra[k] = limit, 0, 0, empty_extra(limit.algorithm)
      dirty[k] = 0
    end
    op = PEEK
  end
  for i = 1, claims do
    local k, limit, cost, holder = input[p], limits[input[p + 1]], input[p + 2], input[p + 3]
    if touched[k] ~= request then
      if not by[k] then
        load(k, limit)
      end
      touched[k] = request
      by0[k], level0[k], at0[k], extra0[k] = by[k], level[k], at[k], extra[k]
    elseif op <= PEEK and limit.algorithm ~= HOLD then
      -- Claims of a request on one counter are taken together, from the state before the request.
      local before = 0
      for other = first, p - 4, 4 do
        before = before + (input[other] == k and input[other + 2] or 0)
      end
      if before > 0 then
        cost = min(MAX_UNITS + 1, cost + before)
        restore(k)
      end
    end
    adopt(k, limit)
    local verdict
    level[k], at[k], extra[k], verdict, out[o + 2], out[o + 3], out[o + 4] =
      steps[limit.algorithm](op, limit, level[k], at[k], extra[k], cost, holder)
    out[o + 1] = verdict
    o, p = o + 4, p + 4
    allowed = allowed and (verdict == ALLOWED or verdict == RENEWED)
  end
  local spent = allowed and op ~= PEEK
  for claim = first, p - 4, 4 do
    local k = input[claim]
    if spent then
      dirty[k] = out[answers + claim - first + 4]
    else
      restore(k)
    end
  end
  if not spent then
    -- Nothing is spent, so each claim reports what its counter had before.
    for claim = first, p - 4, 4 do
      local k, limit = input[claim], limits[input[claim + 1]]
      local from, l, a, x = by[k], level[k], at[k], extra[k]
      adopt(k, limit)
      local _1, _2, _3, _4, left, _6, reset =
        steps[limit.algorithm](PEEK, limit, level[k], at[k], extra[k], 0, '')
      by[k], level[k], at[k], extra[k] = from, l, a, x
      out[answers + 2], out[answers + 4] = left, reset
      answers = answers + 4
    end
  end
end

for request = 1, requests do
  if input[p] == COALESCED then
    p = p + 2
    coalesced_takes(input[p - 1])
  else
    one_request(request)
  end
end
for k, reset in pairs(dirty) do
  write(KEYS[k], by[k], at[k], level[k], extra[k], reset, raw[k])
end
return pack(out)
