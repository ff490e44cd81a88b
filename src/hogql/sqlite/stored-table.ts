// A name that a text has before it is known which table it reads.

/** What stands for the table of kept rows: whoever runs the text puts the name of the table there. */
export const STORED_TABLE = '"materialized"'
