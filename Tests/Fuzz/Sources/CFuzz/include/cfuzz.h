#ifndef CFUZZ_H
#define CFUZZ_H
/* The entry points are for the linker alone; Swift calls nothing here. */
#endif
