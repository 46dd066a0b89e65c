-- Counts the changes that an outcome depends on: a process decides only for the version that it has read.
alter table sca_sessions add column version integer not null default 0;
