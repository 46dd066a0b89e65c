-- The bank's methods of a step, while its user has to choose one. Sealed: their names may contain parts of phone numbers.
alter table sca_steps add column methods_sealed bytea;
