/** Goes round the lanes that have work, so that each comes up in its turn however many there are. */
import type { Database } from '../platform/database/database.ts'
import { type Lane, lanesWithWork, partnersWithWork } from './deliveries/delivery-queue-store.ts'

/** A round through the lanes, one look after the other. */
export type LaneTour = {
  /** Lanes in which something waits for a worker; none when nothing does anywhere. */
  look(): Promise<readonly Lane[]>
}

/** Lanes of one look: more than there is room for, and each costs a step down the index many times a second. */
const LANES_MAX = 256

/** Before every partner. */
const NOBODY = '00000000-0000-0000-0000-000000000000'
/** Before every origin. */
const NOWHERE = ''

/**
 * A look goes on behind the last partner of the look before, and with each partner behind the last of its origins; where
 * it comes to the end, the next look begins anew. Partners come first, so that one with many lanes is one among all.
 */
export function openLaneTour(database: Database<unknown>, lanesMax = LANES_MAX): LaneTour {
  let partnerBefore = NOBODY
  const originBefore = new Map<string, string>()
  const goOn = async (): Promise<readonly Lane[]> => {
    const partners = await partnersWithWork(database, partnerBefore, lanesMax)
    partnerBefore = (partners.length === lanesMax ? partners.at(-1) : undefined) ?? NOBODY
    if (partners.length === 0) {
      return []
    }
    const eachMax = Math.max(1, Math.floor(lanesMax / partners.length))
    const behind = partners.map((partnerId) => ({ partnerId, origin: originBefore.get(partnerId) ?? NOWHERE }))
    const lanes = await lanesWithWork(database, behind, eachMax)
    const byPartner = Map.groupBy(lanes, ({ partnerId }) => partnerId)
    for (const partnerId of partners) {
      const [found, last] = [byPartner.get(partnerId)?.length ?? 0, byPartner.get(partnerId)?.at(-1)]
      if (found === eachMax && last !== undefined) {
        originBefore.set(partnerId, last.origin)
      } else {
        originBefore.delete(partnerId)
      }
    }
    return lanes
  }
  return {
    look: async () => {
      const isUnderWay = partnerBefore !== NOBODY || originBefore.size > 0
      const lanes = await goOn()
      if (lanes.length > 0 || !isUnderWay) {
        return lanes
      }
      partnerBefore = NOBODY
      originBefore.clear()
      return await goOn()
    },
  }
}
