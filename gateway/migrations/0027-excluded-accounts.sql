-- How many accounts the bank returned last under a consent that belong to another owner, and so are not stored.
alter table consents add column excluded_accounts int not null default 0;
