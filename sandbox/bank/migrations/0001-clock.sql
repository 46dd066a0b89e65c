-- How far the bank's business time is ahead of wall time; one row.
create table clock (
  id int primary key check (id = 1),
  offset_milliseconds bigint not null
);
insert into clock (id, offset_milliseconds) values (1, 0);
