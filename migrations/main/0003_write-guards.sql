CREATE TABLE `write_guards` (
	`holds` integer NOT NULL,
	CONSTRAINT "write_guard" CHECK(holds)
);
