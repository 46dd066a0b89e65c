/** Plays partners' endpoints in a process of its own, so that the gateway alone is measured; `webhook-receiving.ts` runs it. */
import {
  type Behaviour,
  isSignedWith,
  type Received,
  startWebhookReceiver,
} from '../../gateway/testing/webhooks/webhook-receiver.ts'
import type { Arrivals, Manner, Order } from './webhook-endpoints.ts'

const LATE_MILLISECONDS = 9_900
const DRIP_EVERY_MILLISECONDS = 100

const manners: Record<Manner, Behaviour> = {
  accept: (response) => response.writeHead(204).end(),
  dead: () => undefined,
  drip: (_response, _received, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-drip: ')
    const timer = setInterval(() => socket.write('x'), DRIP_EVERY_MILLISECONDS)
    socket.once('close', () => clearInterval(timer))
  },
  late: (response) => void setTimeout(() => response.writeHead(204).end(), LATE_MILLISECONDS),
}

const PAYMENT_ID = '"paymentId":"'
const UUID_CHARACTERS = 36
const secrets = new Map<string, string>()
const mannersByPath = new Map<string, Manner>()
let arrivals: Arrivals = { keys: [], times: [], forged: 0 }

const receiver = await startWebhookReceiver({ origins: Number(process.argv[2]), onReceived: note })
receiver.behave((response, received, socket) => {
  manners[mannersByPath.get(received.path) ?? 'accept'](response, received, socket)
})
process.on('message', take)
process.once('disconnect', () => void receiver.close())
process.send?.({ origins: receiver.origins, authority: receiver.authority })

/** Every signature is checked, as a receiver must. What a misbehaving endpoint gets is not noted. */
function note(received: Received): void {
  if (mannersByPath.has(received.path)) {
    return
  }
  const secret = secrets.get(received.path)
  arrivals.keys.push(keyOf(received))
  arrivals.times.push(received.at)
  arrivals.forged += secret !== undefined && isSignedWith(secret, received) ? 0 : 1
}

/** The path is the subscription's, the payment the event's: together they are one delivery. */
function keyOf({ path, body }: Received): string {
  const text = body.toString()
  const at = text.indexOf(PAYMENT_ID) + PAYMENT_ID.length
  return `${path} ${text.slice(at, at + UUID_CHARACTERS)}`
}

function take(order: Order): void {
  if (order.kind === 'behave') {
    mannersByPath.set(order.path, order.manner)
  } else if (order.kind === 'know') {
    secrets.set(order.path, order.secret)
  } else if (order.kind === 'count') {
    process.send?.({ count: arrivals.keys.length })
  } else {
    process.send?.(arrivals)
    arrivals = { keys: [], times: [], forged: 0 }
  }
}
