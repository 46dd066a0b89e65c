-- without transaction
-- A bank names a call by the X-Request-ID that it was made with. Ids are random and compared as a whole: a hash index has
-- half the size of a tree, and none of the calls without an id (decision 0159).
create index concurrently bank_calls_request on bank_calls using hash (request_id);
