-- Payrolls that are handed over one payout at a time: what each orders, and which other one keeps it from its bank.

-- Stands for all payouts of a payroll, so that the same ordered again is noticed; null where its one order stands for them.
alter table payrolls add column content_digest text;
create index payrolls_alike on payrolls (partner_id, content_digest, created_at) where content_digest is not null;

-- The payroll of which an equal payout was handed to the bank with an outcome that is not known.
alter table payrolls add column blocked_by uuid;
