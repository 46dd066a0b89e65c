-- Turns of calls to providers of exchange: their limits count all our processes as one. Shared by all partners.
create table fx_call_turns (
  -- The provider, a slash, and the limit.
  name text primary key,
  -- When the next call is due if they came evenly: milliseconds since 1970, wall time.
  due_milliseconds double precision not null
);
