-- Entries on an account are told apart from salaries: the orders of payrolls that are paid from it, by their day.
create index payments_payroll_account on payments (partner_id, bic, debtor_bban, due_date) where payroll_id is not null;
