-- The look-up of duplicates chose among a dozen indexes that begin with the partner, and all look alike on a database that
-- was never analysed: with some hundred payments it took that of creation times, and each initiation read every payment of
-- the partner since yesterday. No other index matches this one's columns (docs/decisions/0085-plans-without-statistics.md).
drop index payments_end_to_end;
create index payments_end_to_end on payments (end_to_end_id, (partner_id::text), created_at, id);
-- The youngest again, see 0040.
alter table payments drop constraint payments_pkey, add constraint payments_pkey primary key (partner_id, id);
