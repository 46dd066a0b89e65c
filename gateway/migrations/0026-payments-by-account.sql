-- Which payments may entries on an account belong to: a page of entries is looked up by its amounts, in one query.
create index payments_debited on payments (partner_id, bic, debtor_bban, amount_minor, due_date);
