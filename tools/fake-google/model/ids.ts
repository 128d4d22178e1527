/** Ids as Google's look. They are in no order, so that what is new can stand before what was there. */
export interface FakeIds {
  /** 21 digits: more than a number holds. */
  nextUserId(): string
  nextGroupId(): string
}

const users = 1_000_000_007
const groups = 60_466_176

/** The same ids in the same order every time. */
export function createFakeIds(): FakeIds {
  let madeUsers = 0
  let madeGroups = 0
  return {
    nextUserId() {
      madeUsers += 1
      const scattered = (madeUsers * 618_033_989) % users
      return `1${String(scattered).padStart(10, '0')}${String(madeUsers).padStart(10, '0')}`
    },
    nextGroupId() {
      madeGroups += 1
      const scattered = (madeGroups * 37_370_857) % groups
      return `0${scattered.toString(36).padStart(5, '0')}${madeGroups.toString(36).padStart(8, '0')}`
    },
  }
}
