-- The sandbox's webhook inboxes: an endpoint for each partner that shows what was delivered to it.
create table webhook_inboxes (
  partner_id uuid not null,
  -- In clear, like the URLs of endpoints, which contain it.
  token text not null,
  -- Wall time, like all times below.
  created_at timestamptz not null,
  constraint webhook_inboxes_pkey primary key (partner_id)
);

create table webhook_inbox_deliveries (
  partner_id uuid not null,
  id uuid not null,
  received_at timestamptz not null,
  event_type text,
  headers jsonb not null,
  body text not null,
  signature_status text not null,
  constraint webhook_inbox_deliveries_pkey primary key (partner_id, id)
);
