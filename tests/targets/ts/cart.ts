import { Store } from './store';

export class Cart {
  constructor(private readonly store: Store) {}

  total(): number {
    return this.store.lookup('total').length;
  }
}

export const checkout = (cart: Cart) => cart.total();

export class Basket extends Cart {
  empty(): boolean {
    return this.total() === 0;
  }
}
