CREATE TABLE `reserve` (
	`id` integer PRIMARY KEY NOT NULL,
	`filler` blob NOT NULL
);
