/** Classes that break each rule of the architecture, so that a rule that catches nothing is found out. */
package io.acidq.guilty;
