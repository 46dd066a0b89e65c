-- Of the token in the URL that the bank notifies about a step.
alter table sca_steps add column notification_hash text;
