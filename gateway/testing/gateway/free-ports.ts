/** Finds free ports for servers that a test starts a moment later, apart from the ports of other processes. */
import sandbox from '../../../data/sandbox-directory.json' with { type: 'json' }
import { areFreePorts, FIRST_PORT, isFreePort, listenOn } from '../../../launcher/free-ports.ts'

/** Up to the ports that programs choose themselves. `fetch` rejects port 10080. */
const FIRST_TEST_PORT = 10_100
/**
 * Every process chooses from ports of its own, so that test files and programs that run at the same time never choose
 * the same. It listens on the first of them, which no other process can do then.
 */
const PORTS_PER_PROCESS = 256
const SLICES = Math.floor((FIRST_PORT - FIRST_TEST_PORT) / PORTS_PER_PROCESS)

let slice: Promise<number> | undefined
let chosen = 0

/** Distinct free ports on loopback. A port is returned again only after the other ports of this process. */
export async function freePorts(count: number): Promise<readonly number[]> {
  slice ??= claimSlice()
  const first = (await slice) + 1
  const size = PORTS_PER_PROCESS - 1
  const ports: number[] = []
  for (let tries = 0; ports.length < count; tries++) {
    if (tries === size) {
      throw new Error(`Fewer than ${count} ports are free from ${first} to ${first + size - 1}`)
    }
    const port = first + (chosen++ % size)
    if (await isFreePort(port)) {
      ports.push(port)
    }
  }
  return ports
}

/** The first of consecutive free ports, one for each sandbox bank. */
export async function freeBankPorts(): Promise<number> {
  const count = sandbox.banks.length
  slice ??= claimSlice()
  const first = (await slice) + 1
  const size = PORTS_PER_PROCESS - 1
  for (let tries = 0; tries < size; tries += count) {
    const start = chosen % size
    chosen += count
    if (start + count <= size && (await areFreePorts(first + start, count))) {
      return first + start
    }
  }
  throw new Error(`No ${count} consecutive ports are free from ${first} to ${first + size - 1}`)
}

/** The first port of a slice that is this process's until it ends. */
async function claimSlice(): Promise<number> {
  for (let tries = 0; tries < SLICES; tries++) {
    const port = FIRST_TEST_PORT + ((process.pid + tries) % SLICES) * PORTS_PER_PROCESS
    const server = await listenOn(port)
    if (server !== undefined) {
      server.unref()
      return port
    }
  }
  throw new Error(`No ports are free from ${FIRST_TEST_PORT} to ${FIRST_PORT - 1}`)
}
