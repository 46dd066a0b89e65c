-- An index that begins with the partner serves, badly, every look-up of a payment by partner and id. This one has small
-- entries, so that with some hundred payments it has fewer levels than the primary key and looked cheaper: each initiation
-- read every payment of the partner (docs/decisions/0085-plans-without-statistics.md).
drop index payments_debited;
create index payments_debited on payments (bic, partner_id, debtor_bban, amount_minor, due_date);
-- The youngest again, see 0040.
drop index payments_end_to_end;
create index payments_end_to_end on payments (partner_id, end_to_end_id, created_at, id);
alter table payments drop constraint payments_pkey, add constraint payments_pkey primary key (partner_id, id);
