-- How many steps of its scripted outcome a payment has taken since it was ordered, partly signed or signed; null without.
alter table payments add column script_step int;
-- When signatures were taken back; those given before count no more.
alter table payments add column unsigned_at timestamptz;
