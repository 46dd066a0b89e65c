-- Equal orders of a day are found by what makes them equal: a company may order thousands of others that day.
drop index payments_of_day;
create index payments_alike on payments (bank, debtor, creditor, amount_minor, requested_on, position);
