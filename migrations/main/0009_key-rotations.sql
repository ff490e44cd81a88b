CREATE TABLE `key_rotations` (
	`secret` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL
);
