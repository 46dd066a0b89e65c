-- Events: what partners are told of, appended in the transaction that makes it true, and never changed.
create table events (
  partner_id uuid not null,
  -- Counts up without gaps for each partner, in the order of commits: whoever has read up to a position misses nothing.
  position bigint not null,
  id uuid not null,
  type text not null,
  version text not null,
  payment_id uuid not null,
  -- Business time; later than that of every earlier event of the payment.
  occurred_at timestamptz not null,
  -- The body in JSON exactly as it is signed and delivered.
  body text not null,
  primary key (partner_id, position)
);
create unique index events_id on events (partner_id, id);
create index events_payment on events (partner_id, payment_id, position);

-- The newest position of each partner. Who takes the next one holds this row until it commits.
create table event_positions (
  partner_id uuid primary key,
  position bigint not null
);
