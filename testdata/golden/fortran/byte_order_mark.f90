!$omp parallel reduction(+:i)
i = i + 1
!$omp end parallel
end
