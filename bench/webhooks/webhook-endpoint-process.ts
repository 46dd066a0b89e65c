/** Simulates partners' endpoints in a separate process, which `webhook-endpoints.ts` runs. */
import {
  isSignedWith,
  type Received,
  type ReceiverBehaviour,
  startWebhookReceiver,
} from '../../gateway/testing/webhooks/webhook-receiver.ts'
import type { EndpointBehaviour, EndpointCommand, ReceivedDeliveries } from './webhook-endpoints.ts'

const LATE_MILLISECONDS = 9_900
const DRIP_EVERY_MILLISECONDS = 100

const endpointBehaviours: Record<EndpointBehaviour, ReceiverBehaviour> = {
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
const behavioursByPath = new Map<string, EndpointBehaviour>()
let arrivals: ReceivedDeliveries = { keys: [], times: [], forged: 0 }

const receiver = await startWebhookReceiver({ origins: Number(process.argv[2]), onReceived: recordDelivery })
receiver.behave((response, received, socket) => {
  endpointBehaviours[behavioursByPath.get(received.path) ?? 'accept'](response, received, socket)
})
process.on('message', applyCommand)
process.once('disconnect', () => void receiver.close())
process.send?.({ origins: receiver.origins, authority: receiver.authority })

/** Every signature is verified, as a receiver must. Deliveries to a misbehaving endpoint are not recorded. */
function recordDelivery(received: Received): void {
  if (behavioursByPath.has(received.path)) {
    return
  }
  const secret = secrets.get(received.path)
  arrivals.keys.push(keyOf(received))
  arrivals.times.push(received.at)
  arrivals.forged += secret !== undefined && isSignedWith(secret, received) ? 0 : 1
}

/** The path identifies the subscription, the payment the event: together they identify a delivery. */
function keyOf({ path, body }: Received): string {
  const text = body.toString()
  const at = text.indexOf(PAYMENT_ID) + PAYMENT_ID.length
  return `${path} ${text.slice(at, at + UUID_CHARACTERS)}`
}

function applyCommand(order: EndpointCommand): void {
  if (order.kind === 'behave') {
    behavioursByPath.set(order.path, order.manner)
  } else if (order.kind === 'know') {
    secrets.set(order.path, order.secret)
  } else if (order.kind === 'count') {
    process.send?.({ count: arrivals.keys.length })
  } else {
    process.send?.(arrivals)
    arrivals = { keys: [], times: [], forged: 0 }
  }
}
