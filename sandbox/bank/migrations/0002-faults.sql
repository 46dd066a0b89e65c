-- The simulated faults that are not used up, in the order in which they were injected; one row.
create table faults (
  id int primary key check (id = 1),
  list jsonb not null
);
insert into faults (id, list) values (1, '[]');
