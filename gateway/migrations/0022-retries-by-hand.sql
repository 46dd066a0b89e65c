-- What a partner had queued once more: one at a time of each event, however many ask for it at once.
alter table webhook_deliveries add column by_hand boolean not null default false;
create unique index webhook_deliveries_by_hand on webhook_deliveries (partner_id, subscription_id, event_id)
  where by_hand and due_at is not null;

-- Subscriptions that are disabled stay in the list, in the end without their secrets.
alter table webhook_endpoints alter column signing_secret_sealed drop not null;
