import { createLazyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';

function SignIn(): ReactNode {
  return null;
}

export const signInScreen = createLazyRoute('/sign-in')({ component: SignIn });
