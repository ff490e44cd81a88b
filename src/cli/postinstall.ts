// After installing: makes the files that are derived from packages, and that Git therefore does not hold.
import './hogql-parser'
import './reference-script'
