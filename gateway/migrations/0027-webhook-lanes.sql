-- What waits for one origin on behalf of one partner is delivered by one worker at a time, which keeps its order.
create table webhook_lanes (
  partner_id uuid not null,
  origin text not null,
  worker uuid not null,
  -- By the database's clock; whoever is not heard of until then has lost it.
  held_until timestamptz not null,
  primary key (partner_id, origin)
) with (fillfactor = 50);

-- No delivery is claimed by itself any more. A lease is that of the request that makes a test.
drop index webhook_deliveries_ready_subject;
