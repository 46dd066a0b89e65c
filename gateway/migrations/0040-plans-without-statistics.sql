-- Of indexes that promise the same, PostgreSQL takes the youngest. Before a table is first analysed all of them promise the
-- same, so those by which every initiation finds its rows are made anew, last (docs/decisions/0085-plans-without-statistics.md).
-- An index that is added to this table later must not come before these: gateway/payments/initiation-store.test.ts tells.
drop index payments_end_to_end;
create index payments_end_to_end on payments (partner_id, end_to_end_id, created_at, id);
alter table payments drop constraint payments_pkey, add constraint payments_pkey primary key (partner_id, id);
