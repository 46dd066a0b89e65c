/** Switches off source maps in the processes of the tests, in which no code is generated. The test runner loads this first. */
import { setSourceMapsSupport } from 'node:module'

// The runner switches them on. Node then searches every function that a library compiles for one, which took a
// twentieth of the time in which a server is composed.
setSourceMapsSupport(false)
