/** The rules on names, addresses and ids of a cross-border payment: how long they are, and which characters they hold. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import { carriedParts } from '../../banks/carried-parts.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { firstStrangeToSepa, transliterate } from '../../countries/character-sets.ts'
import { debtorReferenceMax } from '../../countries/field-lengths.ts'
import { addressTextFault } from '../../countries/requirements/address-text.ts'
import { tellStrangeCharacter } from '../../countries/unsupported-characters.ts'
import { messageOf } from '../../orders/instructions/cross-border-message.ts'
import type { Finding, Situation } from '../../orders/instructions/validation-context.ts'
import { isExchanged } from './requires-exchange.ts'

/** What exchange providers take of a name. */
const NAME_MAX_EXCHANGED = 70

type Address = CrossBorderPayment['to']['contactInformation']['address']

/** Names of either side: what the provider takes where money is exchanged, else what the bank does. */
export function checkName(order: CrossBorderPayment, { name: bankName, profile }: Bank, name: string): Finding {
  const ofBank = profile.constraints.maxInformationFieldLength
  const [max, taker] = isExchanged(order) ? [NAME_MAX_EXCHANGED, 'payments with exchange'] : [ofBank, bankName]
  const length = [...transliterate(name)].length
  return length > max
    ? invalid(`has ${length} characters; ${taker === bankName ? `${taker} takes` : `${taker} take`} ${max}`)
    : checkCharacters(name)
}

/** A member of an address. That of the receiver travels, and with exchange the payer's, too, so its characters count. */
export function checkAddressText(order: CrossBorderPayment, side: 'from' | 'to', member: keyof Address): Finding {
  const code = side === 'to' ? 'InvalidToAddress' : 'InvalidRequest'
  const travels = side === 'to' || isExchanged(order)
  const reason = addressTextFault(member, order[side].contactInformation.address[member], { travels })
  return reason === undefined ? undefined : { code, reason }
}

/** As much of an identification as the bank is told. */
export function checkEndToEndId(bank: Bank, endToEndId: string): Finding {
  const sent = carriedParts(bank).crossBorder?.endToEndId(endToEndId) ?? null
  return sent === null ? undefined : checkUnchanged(sent)
}

/** What the receiver is told by the payer's bank; with exchange the provider tells it. */
export function checkMessage(order: CrossBorderPayment, { bank: { name, profile } }: Situation): Finding {
  const [max, length] = [profile.crossBorder?.messageMax, [...messageOf(order)].length]
  return isExchanged(order) || max === undefined || length <= max
    ? undefined
    : {
        ...invalid(`has ${length} characters with what is demanded beside it; ${name} takes ${max} in payments abroad`),
        path: '.remittanceInformation.message',
      }
}

/** The text that stays with the payer's own bank. */
export function checkDebtorReference(
  { remittanceInformation: { debtorReference } }: CrossBorderPayment,
  { bank: { countryCode } }: Situation,
): Finding {
  const [max, length] = [debtorReferenceMax(countryCode), [...(debtorReference ?? '')].length]
  if (length > max) {
    return invalid(`has ${length} characters; banks of ${countryCode} take ${max}`)
  }
  return checkUnchanged(debtorReference ?? '')
}

/** Letters that have a spelling in those of SWIFT are rewritten on the way. */
function checkCharacters(text: string): Finding {
  return checkUnchanged(transliterate(text))
}

function checkUnchanged(text: string): Finding {
  const strange = firstStrangeToSepa(text)
  return strange === undefined ? undefined : invalid(tellStrangeCharacter(strange))
}

function invalid(reason: string): NonNullable<Finding> {
  return { code: 'InvalidRequest', reason }
}
