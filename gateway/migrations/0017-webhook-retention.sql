-- Webhooks are kept for 30 days, and the log is read by status and type of event.

-- Each of the few types and statuses is one range of this index, in the order of ids.
create index webhook_deliveries_log on webhook_deliveries (partner_id, subscription_id, event_type, status, id);
drop index webhook_deliveries_failed;

-- Up to where events are forgotten: whoever has read no further has missed some.
alter table event_positions add column forgotten_to bigint not null default 0;

-- Set when a version is replaced: every delivery that refers to it has an id below this one.
alter table webhook_endpoints add column referred_below uuid;
update webhook_endpoints e
set referred_below = (lpad(to_hex((extract(epoch from now() + interval '1 hour') * 1000)::bigint), 12, '0')
  || repeat('0', 20))::uuid
from webhook_subscriptions s
where s.partner_id = e.partner_id and s.id = e.subscription_id and s.endpoint_version <> e.version;
create index webhook_endpoints_replaced on webhook_endpoints (partner_id, subscription_id, version)
  where referred_below is not null;

create index webhook_subscriptions_retention on webhook_subscriptions (updated_at) where not enabled;
