// Calls of tests stay on this machine: the look-up of a name takes as long as a resolver likes, and the runtime writes lines about each that
// fails. A call to elsewhere fails at once, as that of an unknown name.
//
// Files that share a runtime each run this: only the first replaces `fetch`.
const machine = globalThis as { staysHere?: true }

if (!machine.staysHere) {
  machine.staysHere = true
  const send = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input)
    if (hostname !== '127.0.0.1') throw new Error(`${hostname} is not this machine.`)
    return send(input, init)
  }
}
