-- Webhooks: whom to tell of which events, and every delivery on its way.
create table webhook_subscriptions (
  partner_id uuid not null,
  id uuid not null,
  enabled boolean not null,
  event_types text[] not null,
  -- The version of the endpoint that new deliveries go to.
  endpoint_version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (partner_id, id)
);

-- Where deliveries go and with which credentials. Never changed: a delivery keeps the version that it was queued with.
create table webhook_endpoints (
  partner_id uuid not null,
  subscription_id uuid not null,
  version int not null,
  target_url text not null,
  -- Scheme, host and port; deliveries to one origin share its connections.
  origin text not null,
  signing_secret_sealed bytea not null,
  bearer_token_sealed bytea,
  primary key (partner_id, subscription_id, version)
);

-- One event for one subscription. Rows are written three times at most unless an endpoint fails: room for two in the page.
create table webhook_deliveries (
  partner_id uuid not null,
  subscription_id uuid not null,
  id uuid not null,
  endpoint_version int not null,
  origin text not null,
  event_id uuid not null,
  event_type text not null,
  -- What the event is about; deliveries about the same are made one after the other. Null for tests.
  subject_id uuid,
  -- Exactly what is signed and sent.
  body text not null,
  status text not null,
  -- Each as the log shows it.
  attempts jsonb not null default '[]',
  attempts_made int not null default 0,
  -- Whether an attempt is wanted now; deliveries that wait for `due_at` are made ready then.
  ready boolean not null,
  -- Business time of the next attempt; null when there is none.
  due_at timestamptz,
  -- Wall time until which one worker has it.
  lease_until timestamptz,
  -- Business time.
  created_at timestamptz not null,
  primary key (partner_id, subscription_id, id)
) with (fillfactor = 70);
create index webhook_deliveries_ready on webhook_deliveries (partner_id, origin, id) where ready;
create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null and not ready;
create index webhook_deliveries_failed on webhook_deliveries (partner_id, subscription_id, id)
  where status in ('Failed', 'Refused');

-- Whoever replays events begins at a time.
create index events_occurred on events (partner_id, occurred_at, position);
