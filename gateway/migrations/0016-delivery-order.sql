-- The order in which deliveries were queued, whoever queued them: ids have the time and the order of one process only.
alter table webhook_deliveries add column sequence bigint;
update webhook_deliveries d set sequence = o.place
from (select partner_id, subscription_id, id, row_number() over (order by id) as place from webhook_deliveries) o
where d.partner_id = o.partner_id and d.subscription_id = o.subscription_id and d.id = o.id;
alter table webhook_deliveries alter column sequence set not null;
alter table webhook_deliveries alter column sequence add generated always as identity;
select setval(pg_get_serial_sequence('webhook_deliveries', 'sequence'), coalesce(max(sequence), 0) + 1, false)
from webhook_deliveries;

drop index webhook_deliveries_ready;
create index webhook_deliveries_ready on webhook_deliveries (partner_id, origin, sequence) where ready;
-- What is about one payment is delivered in order: whether something older is still on its way.
create index webhook_deliveries_ready_subject on webhook_deliveries (partner_id, subscription_id, subject_id, sequence)
  where ready;
